check "redis_of_the_options" {
  # A warning and no error: without machines there is nothing to mend yet.
  assert {
    condition     = local.redis == null || local.redis == @REDIS_ADDRESS@
    error_message = "The options name another Redis. Write ${coalesce(local.redis, "its address")} there, and take these files anew."
  }
}
