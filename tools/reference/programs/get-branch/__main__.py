import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
main = neon.get_branch_output(project_id=shop.id,
    name="main")
pulumi.export("parentId", main.parent_id)
