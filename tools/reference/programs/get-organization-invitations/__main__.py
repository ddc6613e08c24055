import pulumi
import neon_pulumi as neon

found = neon.get_organization_invitations_output()
pulumi.export("invitations", found.invitations)
