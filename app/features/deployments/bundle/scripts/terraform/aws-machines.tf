# Network, firewalls, addresses and machines for @DOMAIN@ at AWS, for Terraform and OpenTofu.
# AWS_PROFILE or the keys of a login let it in. README.md says how to use this, and what the state holds.

. "./terraform/provider/aws.tf"

locals {
  name = @NAME@
  zone = var.dns_zone
#if EDGE

  # The names of the deployment lead to the edge.
  address = aws_eip.livekit["edge"].public_ip
#end
#if EDGE_IPV6

  address6 = aws_instance.livekit["edge"].ipv6_addresses[0]
#end
#if BALANCED

  # The names of the deployment lead to the balancer, which has an address in each zone.
  balancer = aws_eip.balancer[*].public_ip
#end
#if BALANCED_IPV6

  balancer6 = [for subnet in aws_subnet.livekit : cidrhost(subnet.ipv6_cidr_block, 16)]
#end
#if REDIS

  # Where Redis is found, once it is made.
  redis = one([for each in aws_elasticache_replication_group.livekit : "${each.primary_endpoint_address}:6379"])
#end

  # Each machine's own address.
  addresses = { for name, address in aws_eip.livekit : name => address.public_ip }

  machines = {
@MACHINES@
  }

  # Who may connect to which ports of which machines. Each machine's own firewall says the same.
  rules = {
@RULES@
  }

  rules_of_groups = merge([
    for role, rules in local.rules : { for key, rule in rules : "${role} ${key}" => merge(rule, { role = role }) }
  ]...)
#if REDIS

  made = { for name, machine in local.machines : name => machine if var.machines }
#end
}

data "aws_ssm_parameter" "image" {
  name = @IMAGE@
}

data "aws_ec2_instance_type_offerings" "livekit" {
  location_type = "availability-zone"

  filter {
    name   = "instance-type"
    values = [@SIZE@]
  }
}

resource "aws_vpc" "livekit" {
  cidr_block                       = @NETWORK@
  assign_generated_ipv6_cidr_block = @IPV6_FLAG@

  tags = {
    Name = local.name
  }
}

resource "aws_internet_gateway" "livekit" {
  vpc_id = aws_vpc.livekit.id

  tags = {
    Name = local.name
  }
}

resource "aws_default_route_table" "livekit" {
  default_route_table_id = aws_vpc.livekit.default_route_table_id

  route {
    cidr_block = "0.0.0.0/0"
    gateway_id = aws_internet_gateway.livekit.id
  }
#if IPV6

  route {
    ipv6_cidr_block = "::/0"
    gateway_id      = aws_internet_gateway.livekit.id
  }
#end
}

#if EDGE
# The machines of a cluster are in one zone: traffic between zones costs, and without the edge none is reached.
#end
#if BALANCED
# The machines are in two zones, by turns.
#end
resource "aws_subnet" "livekit" {
  count = @SUBNETS@

  vpc_id            = aws_vpc.livekit.id
  availability_zone = sort(data.aws_ec2_instance_type_offerings.livekit.locations)[count.index]
  cidr_block        = cidrsubnet(aws_vpc.livekit.cidr_block, @SUBNET_BITS@, count.index)
#if IPV6
  ipv6_cidr_block   = cidrsubnet(aws_vpc.livekit.ipv6_cidr_block, 8, count.index)
#end

  tags = {
    Name = local.name
  }

  # Where the type is to be had changes. The machines stay where they are.
  lifecycle {
    ignore_changes = [availability_zone]
  }
}

resource "aws_security_group" "livekit" {
  for_each = local.rules

  name        = "${local.name}-${each.key}"
  description = "LiveKit"
  vpc_id      = aws_vpc.livekit.id
}

resource "aws_vpc_security_group_ingress_rule" "livekit" {
  for_each = local.rules_of_groups

  security_group_id = aws_security_group.livekit[each.value.role].id
  ip_protocol       = each.value.protocol
  from_port         = each.value.from
  to_port           = each.value.to
  cidr_ipv4         = strcontains(each.value.source, ":") ? null : each.value.source
  cidr_ipv6         = strcontains(each.value.source, ":") ? each.value.source : null
}

resource "aws_vpc_security_group_egress_rule" "ipv4" {
  for_each = local.rules

  security_group_id = aws_security_group.livekit[each.key].id
  ip_protocol       = "-1"
  cidr_ipv4         = "0.0.0.0/0"
}

#if IPV6
resource "aws_vpc_security_group_egress_rule" "ipv6" {
  for_each = local.rules

  security_group_id = aws_security_group.livekit[each.key].id
  ip_protocol       = "-1"
  cidr_ipv6         = "::/0"
}

#end
# An account has five of these in a region until AWS gives it more.
resource "aws_eip" "livekit" {
  for_each = @MADE@

  domain = "vpc"

  tags = {
    Name = "${local.name}-${each.key}"
  }

  lifecycle {
    prevent_destroy = true
  }
}

resource "aws_instance" "livekit" {
  for_each = @MADE@

  ami                    = data.aws_ssm_parameter.image.insecure_value
  instance_type          = each.value.size
  key_name               = var.ssh_key
  subnet_id              = aws_subnet.livekit[each.value.zone].id
  vpc_security_group_ids = [aws_security_group.livekit[each.value.role].id]
  user_data_base64       = local.user_data
#if ROLE
  iam_instance_profile   = var.instance_profile
#end
#if IPV6
  ipv6_address_count     = 1
#end

  # It must ask for a public IPv4 address for its first seconds.
  associate_public_ip_address = true

  # Containers behind a bridge get no metadata.
  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = 1
  }

  root_block_device {
    volume_type = "gp3"
    volume_size = @DISK@
    encrypted   = true
  }

  tags = {
    Name = "${local.name}-${each.key}"
  }

  # The firewall protects it from its creation on.
  depends_on = [aws_vpc_security_group_ingress_rule.livekit, aws_default_route_table.livekit]

  # A new version of this file never replaces a machine, and a smaller number deletes none. Another size would stop all
  # of them at once.
  lifecycle {
    prevent_destroy = true
    ignore_changes  = [ami, associate_public_ip_address, instance_type, key_name, user_data_base64]
  }
}

resource "aws_eip_association" "livekit" {
  for_each = @MADE@

  allocation_id = aws_eip.livekit[each.key].id
  instance_id   = aws_instance.livekit[each.key].id
}

#if BALANCED
resource "aws_eip" "balancer" {
  count = @SUBNETS@

  domain = "vpc"

  tags = {
    Name = "${local.name}-balancer"
  }

  lifecycle {
    prevent_destroy = true
  }
}

# It passes connections on and does not end TLS.
resource "aws_lb" "livekit" {
  name                             = @SHORT_NAME@
  load_balancer_type               = "network"
  ip_address_type                  = "@STACK@"
  enable_cross_zone_load_balancing = true

  dynamic "subnet_mapping" {
    for_each = aws_subnet.livekit

    content {
      subnet_id     = subnet_mapping.value.id
      allocation_id = aws_eip.balancer[subnet_mapping.key].id
#end
#if BALANCED_IPV6
      ipv6_address  = local.balancer6[subnet_mapping.key]
#end
#if BALANCED
    }
  }

  lifecycle {
    prevent_destroy = true
  }
}

resource "aws_lb_target_group" "livekit" {
  name     = @SHORT_NAME@
  vpc_id   = aws_vpc.livekit.id
  protocol = "TCP"
  port     = 443

  # With it a machine that comes to itself by the balancer gets no answer, and LiveKit does not read a client's address here.
  preserve_client_ip = false

  # Caddy on each machine answers here for itself and for LiveKit.
  health_check {
    protocol            = "HTTP"
    port                = "@CHECK_PORT@"
    path                = "/"
    matcher             = "200"
    interval            = 5
    timeout             = 3
    unhealthy_threshold = 2
    healthy_threshold   = 2
  }

  # What is connected to a machine that drains goes on.
  target_health_state {
    enable_unhealthy_connection_termination = false
  }
}

resource "aws_lb_target_group_attachment" "livekit" {
  for_each = { for name, machine in aws_instance.livekit : name => machine if local.machines[name].role == "media" }

  target_group_arn = aws_lb_target_group.livekit.arn
  target_id        = each.value.id
}

resource "aws_lb_listener" "livekit" {
  load_balancer_arn = aws_lb.livekit.arn
  protocol          = "TCP"
  port              = 443

  default_action {
    type             = "forward"
    target_group_arn = aws_lb_target_group.livekit.arn
  }
}

#end
#if REDIS
resource "aws_security_group" "redis" {
  name        = "${local.name}-redis"
  description = "Redis of LiveKit"
  vpc_id      = aws_vpc.livekit.id
}

resource "aws_vpc_security_group_ingress_rule" "redis" {
  security_group_id            = aws_security_group.redis.id
  referenced_security_group_id = aws_security_group.livekit["media"].id
  ip_protocol                  = "tcp"
  from_port                    = 6379
  to_port                      = 6379
}

#end
#if REDIS_RECORDERS
resource "aws_vpc_security_group_ingress_rule" "redis_egress" {
  security_group_id            = aws_security_group.redis.id
  referenced_security_group_id = aws_security_group.livekit["egress"].id
  ip_protocol                  = "tcp"
  from_port                    = 6379
  to_port                      = 6379
}

#end
#if REDIS

resource "aws_elasticache_subnet_group" "livekit" {
  name       = @SHORT_NAME@
  subnet_ids = aws_subnet.livekit[*].id
}

# Its password, which you choose, is in the state: AWS's program takes it in no other way.
resource "aws_elasticache_replication_group" "livekit" {
  count = var.redis ? 1 : 0

  replication_group_id       = @SHORT_NAME@
  description                = "LiveKit"
  engine                     = "valkey"
  engine_version             = "8.0"
  node_type                  = "cache.t4g.small"
  num_cache_clusters         = 2
  multi_az_enabled           = true
  automatic_failover_enabled = true
  at_rest_encryption_enabled = true
  transit_encryption_enabled = true
  auth_token                 = var.redis_password
  subnet_group_name          = aws_elasticache_subnet_group.livekit.name
  security_group_ids         = [aws_security_group.redis.id]

  lifecycle {
    prevent_destroy = true
    ignore_changes  = [auth_token, auth_token_update_strategy, engine_version]

    # It is made before the machines. Afterwards nobody has to say the password again.
    precondition {
      condition     = var.machines || var.redis_password != null
      error_message = "Redis wants a password when it is made: export TF_VAR_redis_password=MY_PASSWORD."
    }
  }
}

. "./terraform/redis-check.tf"

#end
data "aws_route53_zone" "livekit" {
  count = contains(["", "none"], local.zone) ? 0 : 1
  name  = local.zone
}

resource "aws_route53_record" "livekit" {
  for_each = local.records_in_zone

  zone_id = data.aws_route53_zone.livekit[0].zone_id
  name    = each.value.name
  type    = each.value.type
  ttl     = 300
  records = @RECORD_VALUES@
}

. "./terraform/common.tf"
