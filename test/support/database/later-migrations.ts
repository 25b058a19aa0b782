import {
  type Migration,
  readMigrations,
} from "../../../scripts/deploy/database/migration-files.ts";

const all = readMigrations("supabase/migrations");
/** The last of the files with which migrations begin (docs/decisions/0062). */
const beginningEnds = "20261127120700";

/** What a database has before any later migration. */
export const beginning = all.filter(({ version }) => version <= beginningEnds);

/**
 * Migrations as a later deploy may bring them, in the usual steps: a column and a table that nothing reads yet, what
 * fills them, what holds from then on, and a rule and a function that take them into use. Those that change deployments
 * lock the table, the one that fills them locks rows.
 */
const examples = Object.entries({
  labels: `create table public.labels (
       id uuid primary key default gen_random_uuid(),
       workspace_id uuid not null references public.workspaces (id) on delete cascade,
       name text not null default 'none'
     );
     create unique index labels_one_each on public.labels (workspace_id, name);
     alter table public.labels enable row level security;
     create policy "Members read their labels" on public.labels
       for select to authenticated
       using (workspace_id = any (array(select public.workspaces_where('see'))));
     revoke all on public.labels from anon, authenticated;
     grant select on public.labels to authenticated;`,
  deployments_label: `alter table public.deployments add column label_id uuid;
     -- allowed: nothing writes the column yet but the trigger below
     alter table public.deployments add constraint deployments_label_fkey
       foreign key (label_id) references public.labels (id) not valid;
     create function public.fill_label() returns trigger
       language plpgsql security definer set search_path = ''
     as $$
     begin
       insert into public.labels (workspace_id) values (new.workspace_id) on conflict do nothing;
       new.label_id := (
         select l.id from public.labels l where l.workspace_id = new.workspace_id and l.name = 'none'
       );
       return new;
     end;
     $$;
     -- allowed: it fills a column that the running version does not know
     create trigger label_deployment before insert on public.deployments
       for each row execute function public.fill_label();`,
  labels_filled: `insert into public.labels (workspace_id)
     select distinct d.workspace_id from public.deployments d on conflict do nothing;
     -- allowed: the running version does not read the column
     update public.deployments d set label_id = l.id
     from public.labels l where l.workspace_id = d.workspace_id and d.label_id is null;`,
  labels_checked: `-- allowed: every row has held to it since the migrations before
     alter table public.deployments validate constraint deployments_label_fkey;
     -- allowed: the migrations before filled the column of every row
     alter table public.deployments add constraint deployments_labelled
       check (label_id is not null) not valid;`,
  deployments_by_label: `-- allowed: each label belongs to the workspace of its deployments, so everybody reads what they read before
     alter policy "People read their own deployments" on public.deployments using (
       workspace_id = any (array(select public.workspaces_where('see')))
       and deleted_at is null and label_id is not null
     );
     create or replace function public.deployment_workspace(person uuid, target uuid, wanted text)
       returns uuid language plpgsql set search_path = ''
     as $$
     declare
       found_workspace uuid;
     begin
       select l.workspace_id into found_workspace
       from public.deployments d join public.labels l on l.id = d.label_id where d.id = target;
       return case when public.member_may(person, found_workspace, wanted) then found_workspace end;
     end;
     $$;`,
}).map(([name, sql], place) => example(name, sql, place));

/** Our own migrations since the beginning, and examples of others. Each must suit the code that runs meanwhile. */
export const laterMigrations = [...all.slice(beginning.length), ...examples];

function example(name: string, sql: string, place: number): Migration {
  const version = `2099010100000${place}`;
  return { version, name, file: `${version}_${name}.sql`, sql };
}
