"""Training of a Double DQN: ludoteca train dqn."""
