"""What is hung on the array class and the scalars: attributes, protocols, methods, operators."""
