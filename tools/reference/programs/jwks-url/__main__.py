import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
sign_in = neon.JwksUrl("signIn",
    project_id=shop.id,
    jwks_url="https://sign-in.example.com/.well-known/jwks.json",
    provider_name="Example")
