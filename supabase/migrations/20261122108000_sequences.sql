-- A new sequence is open to the public roles by a project's default privileges. Nobody but the Worker
-- counts with ours.
-- allowed: no released version asks for a number as a person or a stranger.
revoke all on all sequences in schema public from anon, authenticated;
-- allowed: it speaks of sequences that do not exist yet.
alter default privileges in schema public revoke all on sequences from anon, authenticated;
