import pulumi
import neon_pulumi as neon

budget = neon.SpendingLimit("budget",
    org_id="org-quiet-river-302709",
    spending_limit_cents=50000)
