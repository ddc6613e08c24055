import pulumi
import neon_pulumi as neon

mine = neon.get_api_keys_output()
pulumi.export("apiKeys", mine.api_keys)
