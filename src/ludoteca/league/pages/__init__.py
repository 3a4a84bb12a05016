"""The league's page: sign-in, the leaderboard, and what students and teachers see and do.

Pages are plain HTML that one thread pool builds; what changes while they are open is fetched again as a fragment, built
once for all viewers. Everything that changes something is a form, checked for its origin (`OriginCheck`) and its token.
Only the replays and reviews of matches are pages of `ludoteca.web`.
"""
