"""The pages of trainings: the list, and the learning curves of one or several."""
