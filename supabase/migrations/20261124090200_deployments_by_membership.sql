-- Deployments and their versions are read by the members of their workspace.

-- allowed: each account owns a personal workspace with all of its deployments, so everybody reads what they read before
alter policy "People read their own deployments" on public.deployments
  using (
    workspace_id = any (array(select public.workspaces_where('see'))) and deleted_at is null
  );

-- allowed: for the same reason as the first
alter policy "People read the versions of their own deployments" on public.deployment_versions
  using (
    deployment_id = any (array(
      select d.id from public.deployments d
      where d.workspace_id = any (array(select public.workspaces_where('see')))
    ))
  );
