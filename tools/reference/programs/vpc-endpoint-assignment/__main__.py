import pulumi
import neon_pulumi as neon

office = neon.VpcEndpointAssignment("office",
    region_id="aws-eu-central-1",
    vpc_endpoint_id="vpce-1234567890abcdef0",
    label="office")
