import pulumi
import neon_pulumi as neon

budget = neon.SpendingLimit("budget", spending_limit_cents=50000)
