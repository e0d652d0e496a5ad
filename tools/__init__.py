"""What is run on the project and is no part of the package."""
