import pulumi
import neon_pulumi as neon

ann = neon.OrganizationMember("ann",
    org_id="org-quiet-river-302709",
    email="ann@example.com",
    role="admin")
