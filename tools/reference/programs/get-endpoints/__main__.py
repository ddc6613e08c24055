import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
found = neon.get_endpoints_output(project_id=shop.id)
pulumi.export("endpoints", found.endpoints)
