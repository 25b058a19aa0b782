locals {
  records = {
@RECORDS@
  }
#if DNS

  # The records that are in your zone. The others are yours to set.
  records_in_zone = {
    for key, record in local.records : key => record
    if local.zone != "" && endswith(".${record.name}", ".${local.zone}")
  }
#end
}

#if BROWSER_SECRETS
# User data holds the secrets of the deployment, which your browser made. So does the state.
#end
#if TOKEN
# User data holds a token that connects the machine to the console within 72 hours. The state may hold it too.
#end
locals {
#if PLAIN
  user_data = sensitive(file("${path.module}/${var.user_data_file}"))
#end
#if GZIP
  user_data = sensitive(base64gzip(file("${path.module}/${var.user_data_file}")))
#end
#if PACKED
  user_data_text = file("${path.module}/${var.user_data_file}")

  # What is too large is compressed, as a message that cloud-init unpacks.
  user_data = sensitive(length(local.user_data_text) <= @LIMIT@ ? local.user_data_text : join("", [
    "MIME-Version: 1.0\nContent-Type: application/gzip\nContent-Transfer-Encoding: base64\n\n",
    base64gzip(local.user_data_text),
  ]))
#end
}
#if LIMITED

# A warning and no error: a machine that exists keeps the user data that it was made with.
check "user_data_fits" {
  assert {
    condition     = length(local.user_data) <= @LIMIT@
    error_message = @TOO_LARGE@
  }
}
#end
