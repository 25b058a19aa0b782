# Network, firewall, address and machine for @DOMAIN@ at AWS, for Terraform and OpenTofu.
# AWS_PROFILE or the keys of a login let it in. README.md says how to use this, and what the state holds.

. "./terraform/provider/aws.tf"

locals {
  name    = @NAME@
  zone    = var.dns_zone
  address = aws_eip.livekit.public_ip
#if IPV6

  address6 = aws_instance.livekit.ipv6_addresses[0]
#end

  # Who may connect to which ports. The machine's own firewall says the same.
  rules = {
@RULES@
  }
}

data "aws_ssm_parameter" "image" {
  name = @IMAGE@
}

#if IPV4_ONLY
data "aws_vpc" "livekit" {
  default = true
}

#end
#if IPV6
data "aws_ec2_instance_type_offerings" "livekit" {
  location_type = "availability-zone"

  filter {
    name   = "instance-type"
    values = [@SIZE@]
  }
}

# AWS's default network has no IPv6.
resource "aws_vpc" "livekit" {
  cidr_block                       = "10.0.0.0/16"
  assign_generated_ipv6_cidr_block = true

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

  route {
    ipv6_cidr_block = "::/0"
    gateway_id      = aws_internet_gateway.livekit.id
  }
}

resource "aws_subnet" "livekit" {
  vpc_id            = aws_vpc.livekit.id
  availability_zone = sort(data.aws_ec2_instance_type_offerings.livekit.locations)[0]
  cidr_block        = "10.0.0.0/24"
  ipv6_cidr_block   = cidrsubnet(aws_vpc.livekit.ipv6_cidr_block, 8, 0)

  # Where the type is to be had changes. The machine stays where it is.
  lifecycle {
    ignore_changes = [availability_zone]
  }
}

#end
resource "aws_security_group" "livekit" {
  name        = local.name
  description = "LiveKit"
  vpc_id      = @VPC@
}

resource "aws_vpc_security_group_ingress_rule" "livekit" {
  for_each = local.rules

  security_group_id = aws_security_group.livekit.id
  ip_protocol       = each.value.protocol
  from_port         = each.value.from
  to_port           = each.value.to
  cidr_ipv4         = strcontains(each.value.source, ":") ? null : each.value.source
  cidr_ipv6         = strcontains(each.value.source, ":") ? each.value.source : null
}

resource "aws_vpc_security_group_egress_rule" "ipv4" {
  security_group_id = aws_security_group.livekit.id
  ip_protocol       = "-1"
  cidr_ipv4         = "0.0.0.0/0"
}

#if IPV6
resource "aws_vpc_security_group_egress_rule" "ipv6" {
  security_group_id = aws_security_group.livekit.id
  ip_protocol       = "-1"
  cidr_ipv6         = "::/0"
}

#end
resource "aws_eip" "livekit" {
  domain = "vpc"

  tags = {
    Name = local.name
  }

  lifecycle {
    prevent_destroy = true
  }
}

resource "aws_instance" "livekit" {
  ami                    = data.aws_ssm_parameter.image.insecure_value
  instance_type          = @SIZE@
  key_name               = var.ssh_key
  vpc_security_group_ids = [aws_security_group.livekit.id]
  user_data_base64       = local.user_data
#if ROLE

  iam_instance_profile = var.instance_profile
#end
#if IPV6

  # In a network of its own it must ask for a public IPv4 address for its first seconds.
  subnet_id                   = aws_subnet.livekit.id
  ipv6_address_count          = 1
  associate_public_ip_address = true
#end

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
    Name = local.name
  }

  # The firewall protects it from its creation on.
  depends_on = [@BEFORE@]

  # A new version of this file never replaces the machine.
  lifecycle {
    prevent_destroy = true
    ignore_changes  = [ami, associate_public_ip_address, key_name, user_data_base64]
  }
}

resource "aws_eip_association" "livekit" {
  allocation_id = aws_eip.livekit.id
  instance_id   = aws_instance.livekit.id
}

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
  records = [each.value.value]
}

. "./terraform/common.tf"
