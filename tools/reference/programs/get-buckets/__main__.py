import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
found = neon.get_buckets_output(project_id=shop.id,
    branch_id=shop.default_branch_id)
pulumi.export("buckets", found.buckets)
