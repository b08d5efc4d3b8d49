"""The members of the array class and the scalars: attributes, protocols, methods, operators."""
