"""What a teacher sees and does: the overview, one student, and files to take."""
