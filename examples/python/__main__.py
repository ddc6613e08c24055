import pulumi
import neon_pulumi as neon

shop = neon.Project("shop", region_id="aws-eu-central-1")
staging = neon.Branch("staging", project_id=shop.id, compute={})

pulumi.export("databaseUrl", staging.connection_uri)  # a secret
