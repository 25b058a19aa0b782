-- Reads the table once, in a transaction that keeps nobody from reading or writing it.
-- allowed: every row has held to it since the migrations before
alter table public.unsaved_changes validate constraint unsaved_changes_member_fkey;
-- allowed: the migrations before filled the column of every row
alter table public.unsaved_changes validate constraint unsaved_changes_in_a_workspace;
