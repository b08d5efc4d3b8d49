"""What both packages share and what needs only torch: dtypes, the box, axes, errors."""
