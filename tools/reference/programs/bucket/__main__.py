import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
avatars = neon.Bucket("avatars",
    project_id=shop.id,
    branch_id=shop.default_branch_id,
    access_level="public_read")
pulumi.export("bucket", avatars.name)
