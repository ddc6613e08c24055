import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
storage = neon.get_branch_storage_output(project_id=shop.id,
    branch_id=shop.default_branch_id)
pulumi.export("endpoint", storage.s3_endpoint)
