import pulumi
import neon_pulumi as neon

deploy = neon.OrganizationApiKey("deploy",
    org_id="org-quiet-river-302709",
    rotate_trigger="2030-01")
pulumi.export("deployKey", deploy.key)
