"""The public suite data-apis/array-api-tests."""
