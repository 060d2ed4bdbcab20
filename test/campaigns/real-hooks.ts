/** npm run campaign:hooks -- --only NAME,NAME --agents DIR --keep */
import { runHookCampaign } from './clients/hooks/hook-campaign.ts';

process.exitCode = await runHookCampaign(process.argv.slice(2));
