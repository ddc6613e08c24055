import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
sign_in = neon.NeonAuth("signIn",
    project_id=shop.id,
    branch_id=shop.default_branch_id)
found = neon.get_neon_auth_oauth_providers_output(project_id=shop.id,
    branch_id=sign_in.branch_id)
pulumi.export("providers", found.providers)
