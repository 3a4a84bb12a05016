from players.smart import Smart

print(Smart(1))
