import pulumi
import neon_pulumi as neon

config = pulumi.Config()
github_client_secret = config.require_secret("githubClientSecret")
shop = neon.Project("shop")
sign_in = neon.NeonAuth("signIn",
    project_id=shop.id,
    branch_id=shop.default_branch_id)
github = neon.NeonAuthOauthProvider("github",
    project_id=shop.id,
    branch_id=sign_in.branch_id,
    provider_id="github",
    client_id="Iv1.8a61f9b3a7aba766",
    client_secret=github_client_secret)
