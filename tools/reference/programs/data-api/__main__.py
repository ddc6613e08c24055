import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
api = neon.DataApi("api",
    project_id=shop.id,
    branch_id=shop.default_branch_id,
    database_name="neondb",
    auth_provider="external",
    jwks_url="https://sign-in.example.com/.well-known/jwks.json",
    add_default_grants=True,
    settings={
        "db_max_rows": 1000,
    })
pulumi.export("apiUrl", api.url)
