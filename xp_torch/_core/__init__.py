"""What both packages share and only torch is needed for: dtypes, the box, axes, errors."""
