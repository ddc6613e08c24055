import pulumi
import neon_pulumi as neon

config = pulumi.Config()
other_api_key = config.require_secret("otherApiKey")
other = neon.Provider("other", api_key=other_api_key)
theirs = neon.Project("theirs", opts=pulumi.ResourceOptions(provider=other))
