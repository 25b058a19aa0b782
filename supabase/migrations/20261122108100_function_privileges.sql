-- A new function may be called by everybody: PostgreSQL lets all roles do so, and a project's default
-- privileges name the public roles besides. From here on nobody may, until a migration grants it. What
-- PUBLIC has can only be taken in all schemas at once; both hold for functions that our owner makes.
-- allowed: it speaks of functions that do not exist yet.
alter default privileges revoke execute on functions from public;
-- allowed: for the same reason as the first.
alter default privileges in schema public revoke execute on functions from anon, authenticated;
