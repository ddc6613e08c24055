import pulumi
import neon_pulumi as neon

found = neon.get_organizations_output()
pulumi.export("organizations", found.organizations)
