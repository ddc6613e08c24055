import pulumi
import neon_pulumi as neon

ann = neon.OrganizationMember("ann",
    email="ann@example.com",
    role="admin")
