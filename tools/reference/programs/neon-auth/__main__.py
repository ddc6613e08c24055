import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
sign_in = neon.NeonAuth("signIn",
    project_id=shop.id,
    branch_id=shop.default_branch_id,
    name="Shop",
    email_and_password={
        "enabled": True,
        "require_email_verification": True,
    },
    allow_localhost=False)
pulumi.export("baseUrl", sign_in.base_url)
