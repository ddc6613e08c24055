import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
found = neon.get_branch_count_output(project_id=shop.id,
    search="pr-")
pulumi.export("previews", found.count)
