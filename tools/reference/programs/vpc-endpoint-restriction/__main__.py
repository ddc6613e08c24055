import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
office = neon.VpcEndpointAssignment("office",
    region_id="aws-eu-central-1",
    vpc_endpoint_id="vpce-1234567890abcdef0",
    label="office")
internal = neon.VpcEndpointRestriction("internal",
    project_id=shop.id,
    vpc_endpoint_id=office.vpc_endpoint_id,
    label="office")
