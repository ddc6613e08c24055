import pulumi
import neon_pulumi as neon

shop = neon.Project("shop")
nightly = neon.BackupSchedule("nightly",
    project_id=shop.id,
    branch_id=shop.default_branch_id,
    schedule=[{
        "frequency": "daily",
        "hour": 3,
        "retention_seconds": 604800,
    }])
