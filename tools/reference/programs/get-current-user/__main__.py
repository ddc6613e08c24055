import pulumi
import neon_pulumi as neon

user = neon.get_current_user_output()
pulumi.export("owner", user.email)
