import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
uploads = neon.Credential("uploads",
    project_id=shop.id,
    branch_id=shop.default_branch_id,
    scopes=[
        "storage:read",
        "storage:write",
    ])
pulumi.export("accessKeyId", uploads.token_id)
pulumi.export("secretAccessKey", uploads.s3_secret_access_key)
