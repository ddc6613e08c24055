import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
found = neon.get_project_members_output(project_id=shop.id)
pulumi.export("members", found.members)
