package main

import (
	"github.com/neon-pulumi/neon-pulumi/sdk/go/neon"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		shop, err := neon.NewProject(ctx, "shop", nil)
		if err != nil {
			return err
		}
		_, err = neon.NewBackupSchedule(ctx, "nightly", &neon.BackupScheduleArgs{
			ProjectId: shop.ID(),
			BranchId:  shop.DefaultBranchId,
			Schedule: neon.BackupScheduleScheduleArray{
				&neon.BackupScheduleScheduleArgs{
					Frequency:        pulumi.String("daily"),
					Hour:             pulumi.Int(3),
					RetentionSeconds: pulumi.Int(604800),
				},
			},
		})
		if err != nil {
			return err
		}
		return nil
	})
}
