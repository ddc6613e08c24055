import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
owner = neon.get_organization_output(org_id=shop.org_id)
pulumi.export("plan", owner.plan)
