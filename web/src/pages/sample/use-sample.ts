import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { botsQuery } from '../../api/queries.ts';

/** Makes the bot with made-up data and goes to it. */
export function useExploreSample() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => call('sampleBotCreate', { body: {} }),
    onSuccess: async ({ botId }) => {
      // The page of a bot asks the list whether there is such a bot.
      await queryClient.refetchQueries({ queryKey: botsQuery.queryKey });
      await navigate({ to: '/b/$bot/status', params: { bot: botId } });
    },
  });
}

/** Removes it and goes to the list. */
export function useRemoveSample() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => call('sampleBotRemove'),
    onSuccess: async () => {
      await navigate({ to: '/', search: { all: '1' } });
      await queryClient.invalidateQueries({ queryKey: botsQuery.queryKey });
    },
  });
}
