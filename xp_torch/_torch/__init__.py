"""Every private name of torch that the packages use, and the one door for changes of torch."""
