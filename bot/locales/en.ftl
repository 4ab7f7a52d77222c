### Every text that people read, in English. Names in { $name } are cleaned before they come here.

## Words shared by the texts below

cards = { $n ->
    [one] 1 card
   *[other] { $n } cards
}
rounds = { $n ->
    [one] 1 round
   *[other] { $n } rounds
}
wars = { $n ->
    [0] no war
    [one] 1 war
   *[other] { $n } wars
}
list-pair = { $first } and { $second }
nameless = someone
house = House

## Challenge

challenge-title = ### { $host } challenges { $invited } to War
challenge-quick-title = ### { $host } challenges { $invited } to a quick match of War
challenge-rules = { $preset } rules, { $presses }.
challenge-quick-rules = { $preset } rules. The whole match plays itself as soon as { $invited } accepts.
challenge-ask = { $mention }, do you accept? The challenge closes { $until }.
challenge-commitment = -# Fair deal: the cards will come from a seed with the SHA-256 { $commitment }
invitation-text-only = -# I may not attach files in this channel, so the table is shown as text.
challenge-commitment-after = -# The cards come from a seed with the SHA-256 { $commitment }
challenge-accepted = ### { $host } against { $invited }
    The challenge was accepted. [Go to the table]({ $link })
challenge-accepted-quick = ### { $host } against { $invited }
    The challenge was accepted and the match played itself.
challenge-declined = ### { $host } challenged { $invited }
    { $invited } would rather not play now.
challenge-cancelled = ### { $host } challenged { $invited }
    The challenge was taken back.
challenge-expired = ### { $host } challenged { $invited }
    Nobody answered in time. `/war challenge` asks again.
no-more-ask = You have declined. No more challenges from { $name }?
button-no-more-day = None for a day
button-no-more-always = None for good
button-no-more-everyone = From nobody
no-more-day = { $name } cannot challenge you for a day; nobody is told. Should you challenge { $name } yourself, that ends.
no-more-always = { $name } cannot challenge you any more; nobody is told. Should you challenge { $name } yourself, that ends.
no-more-everyone = Nobody can challenge you any more; nobody is told. You can still challenge others and join open tables.
button-welcome = Take challenges again
welcome-done = Anybody can challenge you again.
help-unwelcome = You take no challenges from some people, or from anybody.
button-accept = Accept
button-decline = Decline
button-cancel = Cancel

presses = { $n ->
    [one] about 1 press
   *[other] about { $n } presses each
}
preset-classic = Classic
preset-short = Short
preset-blitz = Blitz
preset-skirmish = Skirmish
preset-merciless = Merciless
preset-custom = Special

table-title = ### A table for War, hosted by { $host }
table-players = At the table: { $names } ({ $n } of { $most }).
table-rules = { $preset } rules, { $presses }. Anyone may sit down; { $host } deals.
table-until = The table closes { $until }.
table-started = ### War: { $players }
    The cards were dealt. [Go to the table]({ $link })
table-cancelled = ### A table for War, hosted by { $host }
    It was closed again.
table-expired = ### A table for War, hosted by { $host }
    It was not started in time. `/war challenge` opens another.
table-empty = ### A table for War
    Everybody has left it. `/war challenge` opens another.
button-join = Join
button-leave = Leave
button-start = Start

## Board

board-title = ### War: { $players }
board-seat = **{ $name }** · { $cards } · { $chance }%{ "\u00A0" }to{ "\u00A0" }win
board-seat-out = **{ $name }** · out
board-seat-gave-up = **{ $name }** · gave up
board-pot = On the table: { $cards }
board-deal = The cards are dealt, { $each } each. Press **Deal** to turn the first ones.
board-ready = Ready: { $names }.
board-waiting = Waiting for { $names }. The table plays by itself { $when }.
board-auto = On auto until they press again: { $names }.
board-finishing = Would play to the end: { $names }.
board-offer = **{ $names } would end the match here.** It ends if { $others } agrees: the most cards win. The next turn withdraws the offer.
board-offer-many = **{ $names } would end the match here.** It ends if { $others } agree: the most cards win. The next turn withdraws the offer.
board-footer = -# Turn { $turn } · { $preset } rules · seed { $commitment }…
board-back = Watching? Say who will win, until the first cards are turned:
button-back = Back { $name }
back-done = You say that { $name } wins.
button-deal = Deal
button-next-war = Next war
button-next-card = Next card
button-reveal = Reveal!
button-finish = Finish
button-more = More
button-agree = Agree to end
button-play-on = Play on
board-moved = The table has moved: [go there]({ $link })

## What happened

told-battle = { $winner } wins { $taken } with { $card } over { $others }.
told-war-won = **The war is decided:** { $card } for { $winner } over { $others } takes { $taken }.
told-war-alone = **The war is decided:** { $winner } alone can go on and takes { $taken }.
told-carried = Nobody can go on: the pot of { $pot } waits for the next round.
told-rounds = Then { $rounds }: { $shares }.
told-rounds-first = { $rounds }: { $shares }.
told-share = { $name } took { $n }
told-tie = ## WAR!
    { $cards } tie, with { $pot } on the table. { $call }
told-tie-again = ## WAR ON TOP OF WAR!
    { $cards } tie as well, with { $pot } on the table. { $call }
told-whose-card = { $name }’s { $card }
told-dropped-no-cards = { $name } has no card left for the war.
told-dropped-short = { $name } has too few cards for the war.
told-out = { $name } is out.
told-gave-up = { $name } has given up. The cards go into the pot.

## A sentence beside the facts. { $pick } is 0 to 5, as chance has it: say it in as many ways as your language likes.

call-next = { $pick ->
    [0] The next cards decide.
    [1] Hold your breath.
    [2] Who blinks first?
    [3] One card will settle it.
    [4] Nobody is giving way.
   *[5] It all hangs on the next card.
 }
call-again = { $pick ->
    [0] The next cards decide. Perhaps.
    [1] And the pile is still growing.
    [2] Neither side gives an inch.
    [3] This is getting expensive.
    [4] Once more, then.
   *[5] Somebody is about to be very pleased.
 }
call-all-in = { $pick ->
    [0] For { $name } it is all or nothing: { $cards } left.
    [1] { $name } has { $cards } left to fight with. Everything is at stake.
    [2] { $cards } left for { $name }: lose this and it is over, or nearly.
    [3] { $name } fights with the last { $cards }.
    [4] This could be the end for { $name }, with { $cards } left.
   *[5] { $name } stakes the last { $cards }.
 }
call-aces = { $pick ->
    [0] Aces against aces: nothing beats them but luck.
    [1] The highest cards there are, and no way around them.
    [2] An ace will be lost here.
    [3] Whoever loses this will miss that ace.
    [4] Aces high, nerves low.
   *[5] It takes a war to win an ace. Here it is.
 }
call-twos = { $pick ->
    [0] All this over the lowest cards in the deck.
    [1] Twos! Yet the pot is real.
    [2] Nobody expected twos to matter.
    [3] The smallest cards start the biggest fights.
    [4] A war over twos. It happens.
   *[5] Who would have fought over a two?
 }
call-many = { $pick ->
    [0] { $n } go in, one comes out with it all.
    [1] { $n } at once: the pot grows fast.
    [2] A crowd of { $n } fights for it.
    [3] { $n } equal cards, one winner.
    [4] With { $n } in it anything can happen.
   *[5] It takes { $n } to make a fight like this.
 }
remark-pot = { $pick ->
    [0] A pot like that turns a match.
    [1] { $name } needs both hands for it.
    [2] That is a pile to be proud of.
    [3] It takes a while to gather it all up.
    [4] Pots do not get much bigger.
   *[5] { $name } will remember this one.
 }

## More

more-title = ### Your table
more-text = **One card** plays a single battle a press, for you and so for the table, until you change it back. **Offer to end** asks the others to stop here: the most cards win. **Forfeit** gives up the match.
more-counts = Now: { $counts }
button-card = One card a press
button-pace-war = A war a press
button-offer = Offer to end
button-forfeit = Forfeit
button-rules = Rules
forfeit-ask = ### Give up the match?
    It counts as a loss, and your cards go to the others. This cannot be taken back.
button-forfeit-yes = Yes, forfeit
forfeit-done = You have given up the match.
offer-done = You have offered to end the match. It ends when all agree; the next turn withdraws the offer.
offer-ended = All agreed: the match is over.
pace-card-done = One card a press from now on.
pace-war-done = To the next war a press from now on.

## Result

result-win = ## { $name } wins the War
result-draw = ## A draw between { $names }
result-all-cards = { $name } holds all the cards after { $rounds } and { $wars }.
result-agreed = The players agreed to end it after { $rounds } and { $wars }.
result-forfeit = { $name } forfeited after { $rounds } and { $wars }.
result-round-cap = The match reached its limit of { $rounds }, with { $wars }; the most cards win.
result-drawn = Nobody could go on after { $rounds } and { $wars }.
result-placing = `{ $placing }` **{ $name }** · { $cards }
result-placing-gave-up = `{ $placing }` **{ $name }** · gave up
headline-rarity = 1 match in { $n }.
headline-one-card = **From one card left:** { $name } came back from the brink after round { $round }.
headline-few-cards = **From { $n } cards left:** { $name } came back after round { $round }.
headline-no-aces = **Without an ace:** { $name } was dealt none and won all the same.
headline-never-behind = **Never behind:** nobody ever held more cards than { $name }.
headline-quadruple-war = **{ $n } ties on top of each other** in round { $round }.
headline-triple-war = **A triple war** in round { $round }.
headline-four-way-war = **A war of { $n } players at once** in round { $round }.
headline-three-way-war = **A three-way war** in round { $round }.
headline-carried-pot = **A pot that nobody could win:** it went on to the next round.
headline-marathon = **A marathon** of { $n } rounds.
headline-sprint = **A sprint:** over within { $n } rounds.
headline-seesaw = **A seesaw:** the lead changed { $n } times.
headline-streak = **{ $n } pots in a row** for { $name }, from round { $round } on.
headline-last-stand = **A last stand:** nearly out, { $name } held on for { $n } more rounds.
headline-double-war = **A double war** in round { $round }.
story-star-war = ⭐ The war that turned it: { $cards } for { $name } in round { $round }.
story-star = ⭐ The biggest pot: { $cards } for { $name } in round { $round }.
story-lead = The lead changed { $n ->
    [one] once
   *[other] { $n } times
 }.
story-aces = Aces dealt: { $shares }.
story-ace-share = { $name } { $n }
result-not-counted = -# Not counted in the standings: these two have played their { $most } counted matches of the day.
result-void = ### War: { $players }
    Nobody pressed, so the match was put away. It counts for nobody.
result-nemesis = { $winner } is the nemesis of { $loser }: { $n } matches won in a row.
result-called = { $right } of { $all ->
    [one] 1 spectator
   *[other] { $all } spectators
 } called it.
result-rematch-commitment = -# SHA-256 of the seed of the rematch: { $commitment }
button-rematch = Rematch
button-rematch-waiting = Rematch ({ $n } of { $all })
button-replay = Replay
result-fair = -# The seed is revealed: *Proof* lets anyone check the deal.
button-proof = Proof
proof-text = ### Proof of match { $match }
    The seed behind this match and all that happened in it. Check it with this file and `warbot verify`, from the command line of this bot’s project (see its README).
proof-before = The commitment { $commitment } was shown before the match began.
proof-not-before = This was a first quick match, so no commitment was shown before it: the proof shows that the match follows the seed, not that the seed was fixed before.

## Settings of a server

settings-text-on = Boards in this server are shown as text, without a picture of the table; cards are written out and may have a small symbol beside them. `/war-admin settings text_mode:False` brings the pictures back.
settings-text-off = Boards in this server are shown with pictures. `/war-admin settings text_mode:True` shows them as text, for screen readers and slow connections.
refuse-not-moderator = Only who may manage this server can change this.

## Looking back

replay-title = ### Looking back: { $players }
replay-step = -# Battle { $step } of { $steps }, round { $round }
button-first = First
button-previous-war = Previous war
button-previous-battle = Previous
button-next-battle = Next
button-last = Last

## Flair

flair-title = ### Your flair
    Others see your card back and your emblem at a table. *By seat* means that you have not chosen: what they see then depends on the seat you sit on.
flair-own = Your pile. Its colour is always that of your seat:
flair-seats = Your pile, as it looks on each of the six seats:
flair-seats-alt = Your pile on each of the six seats. Card back: { $back }. Emblem: { $emblem }.
flair-caption = **{ $menu }**
flair-back = Card back
flair-emblem = Emblem
flair-more = -# It shows from your next turn on.
back-seat = By seat
back-stripes = Stripes
back-diamonds = Diamonds
back-waves = Waves
back-stars = Stars
emblem-seat = By seat
emblem-crown = Crown
emblem-shield = Shield
emblem-star = Star
emblem-leaf = Leaf
emblem-flame = Flame
emblem-anchor = Anchor
emblem-moon = Moon
emblem-bolt = Bolt

## What pictures show, for who cannot see them

alt-seat = { $name } holds { $cards }.
alt-turned = { $name } holds { $cards } and has turned { $card }.
alt-won = { $name } holds { $cards } and has won with { $card }.
alt-at-war = { $name } holds { $cards } and is at war with { $card }.
alt-out = { $name } is out.
alt-pot = { $cards } on the table.
alt-chart = The cards held over { $rounds }. At the end: { $ends }.
alt-animated = The match as an animated picture: { $rounds }, { $wars }. The result is beside it.
alt-flair = A table with your card back, { $back }, and your emblem, { $emblem }.

## Quick match

quick-title = ### A quick match: { $name } against { $house }
quick-title-pair = ### A quick match: { $players }
quick-poster = { $rounds }, { $wars }, and the last card fell.
quick-spoiler-win = ||And the winner is { $name }, with { $cards }.||
quick-spoiler-draw = ||It is a draw.||
quick-turning = The longest fight: { $depth ->
    [1] a war
    [2] a double war
    [3] a triple war
   *[other] a war of { $depth } ties
 } in round { $round }, for { $cards }.
quick-next = -# SHA-256 of the seed of your next quick match: { $commitment }
quick-shared = -# Shared by { $name }
button-again = Again
button-share = Share
share-wait = A quick match was shared here a moment ago. Try again in a minute.

## Leaderboard

leaders-title = ### Leaderboard of { $server }
leaders-played = All time · matches at the table
leaders-quick = All time · quick matches between two players
leaders-row = `{ $rank }` **{ $name }** · { $record }
leaders-record = { $draws ->
    [0] { $wins } won, { $losses } lost
   *[other] { $wins } won, { $losses } lost, { $draws } drawn
 }
leaders-own = Your row: { $row }
leaders-none-own = You are not on it yet.
leaders-empty = Nobody has finished a match here yet. `/war challenge` starts one.
leaders-page = -# Page { $page } of { $pages } · at most { $most } matches a day between the same two count
leaders-counted = -# At most { $most } matches a day between the same two count
button-leaders-played = Show table matches
button-leaders-quick = Show quick matches
button-previous = Previous page
button-next = Next page

## Board command, rules, help

board-none = No match is on in this channel. `/war challenge` starts one.
board-on = { $players } are playing here, turn { $turn }. [Go to the table]({ $link })
busy-on = { $players } are playing here; it takes a few minutes. One match at a time in a channel: watch it, play a quick match, or use another channel.
button-watch = Watch
button-quick = Quick match
rules-title = ### The rules of War
rules-deal = **The deal.** { $deck } cards, no jokers, the same number for everyone, face-down. The challenger deals; seats count from the dealer’s left. *For two: { $each } each.*
rules-round = **A round.** All turn their top card at the same time; the highest takes everything on the table to the bottom of its owner’s pile. Ace is highest, then K Q J 10 9 8 7 6 5 4 3 2; suits do not count. *K♠ beats 4♦ and takes both.*
rules-war = **War.** The highest cards tie: each of the tied lays { $facedown } face-down, then turns one more, and these are compared. Another tie is another war on top. *Q♠ and Q♦ tie; then 9♣ beats 5♥ and takes { $pot }.*
rules-three = **More than two.** Only those who share the highest card fight the war; the others leave their card in the pot. *K♠, K♦ and 7♣: the kings fight, the 7♣ goes to the winner.*
rules-short-last = **Too few cards for a war.** Lay what there is; the last card is turned. *With two cards left: one face-down, one face-up.*
rules-short-lose = **Too few cards for a war.** You lose the war and are out; your cards join the pot. *With two cards left and a war to fight, it is over.*
rules-short-equal = **Too few cards for a war.** Both lay only as many as the shorter has. *With two cards left, both lay one and turn one.*
rules-short-keep = **Too few cards for a war.** The last card played goes on comparing. *With no card left, your tied queen fights on.*
rules-order-random = **Won cards** go under the pile shuffled, so that no match goes round for ever. *K♠ takes 4♦: which of the two lies deeper is chance.*
rules-order-winner-first = **Won cards** go under the pile, the winner’s own first. *K♠ takes 4♦: K♠, then 4♦.*
rules-order-loser-first = **Won cards** go under the pile, the others’ first. *K♠ takes 4♦: 4♦, then K♠.*
rules-order-table = **Won cards** go under the pile as they lie on the table, seat by seat. *Seat 1 turned 4♦, seat 2 K♠: 4♦, then K♠.*
rules-left-first-pot = **Cards left over** when the deal does not come out even lie on the table for the winner of the first round. *{ $deck } cards for { $players } players: each gets { $each }, { $left ->
    [one] 1 is left over, and whoever wins the first round takes it too
   *[other] { $left } are left over, and whoever wins the first round takes them too
 }.*
rules-left-aside = **Cards left over** when the deal does not come out even are put aside. *{ $deck } cards for { $players } players: each gets { $each }, { $left ->
    [one] 1 is left over, and nobody gets it
   *[other] { $left } are left over, and nobody gets them
 }.*
rules-end = **The end.** One player holds all the cards, or all agree to stop, or { $cap } rounds are played: then the most cards win. *30 against 22: the 30 win; 26 each is a draw.*
rules-name = -# { $preset } rules
help-text = ### War, in a channel near you
    `/war challenge` asks someone to a match; without an opponent it opens a table for up to six. A press plays to the next tie and stops there; the next press reveals it.
    `/war quick` plays a whole match at once: against the house, or against someone who accepts.
    Both take the option `rules`, for a shorter or a harsher match; `/war rules` explains the game and the rules of the match in this channel.
    `/war flair` is for your card back and your emblem, as others see them.
    `/war board` finds the match of this channel again. `/war leaderboard` shows who has won the most.
    When you are away the table plays on by itself: being absent never loses a match. Every deal can be checked afterwards with *Proof*.

## Refusals: what cannot be, and what to do

refuse-channel-busy = A match is on in this channel. Wait for it to end or use another channel.
refuse-you-are-busy = You are in a match already: [go to the table]({ $link }). Finish it first, or forfeit it under *More*.
refuse-you-are-busy-nolink = You are in a match already. Finish it first: `/war board` in its channel shows it.
refuse-they-are-busy-nolink = { $name } is in a match right now. Ask again when it is over, or ask someone else.
refuse-they-are-busy = { $name } is in a match right now: [see it]({ $link }). Ask again when it is over, or ask someone else.
refuse-challenge-self = You cannot challenge yourself. Choose someone else, or play the house with `/war quick`.
refuse-unwelcome = { $name } takes no challenges at the moment. Ask someone else, or open a table with `/war challenge` alone.
refuse-challenge-bot = Bots do not play here. Choose a person, or play the house with `/war quick`.
refuse-too-many-yours = { $most ->
    [one] You have a challenge waiting. Cancel it or wait for the answer.
   *[other] You have { $most } challenges waiting. Cancel one or wait for an answer.
}
refuse-too-many-here = { $most } challenges are waiting in this channel. Try again when some are answered, or use another channel.
refuse-no-such-match = This match is not known here any more. `/war challenge` starts a new one.
refuse-not-challenged = This challenge is for someone else. `/war challenge` opens one of your own.
refuse-not-host = Only { $name } can take this back.
refuse-not-a-player = You are not playing in this match. `/war challenge` starts one of your own in another channel.
refuse-you-are-out = You are out of this match. You can watch it to its end.
refuse-table-full = All { $most } seats are taken. Watch the match, or open a table of your own in another channel.
refuse-not-at-table = You do not sit at this table. Press *Join* first.
refuse-not-host-start = { $name } opened this table and starts the match.
refuse-table-of-one = You sit here alone. Wait until somebody joins, or play the house with `/war quick`.
refuse-try-again = Something else happened at the same moment. Press again.
refuse-old-board = This is an old message of the match: [go to the table]({ $link }).
refuse-old-board-nolink = This is an old message of the match. `/war board` shows the table.
refuse-stale-turn = The match has moved on. Look at the table again.
refuse-player-backs = You are playing: your cards speak for you.
refuse-back-late = The first cards are turned: it is too late to back anyone.
refuse-nothing-played = No card was turned in this match: there is nothing to look back at.
refuse-replay-later = The match can be looked back at when it is over.
refuse-proof-later = The proof comes with the result: it would show the cards to come.
refuse-older-version = This button is from an older version or no longer in use. `/war board` shows the match of this channel.
refuse-draining = The bot is restarting. Nothing is lost: press again in a few seconds.
refuse-permissions = I cannot play here: I lack the permission { $missing } in this channel. Ask a moderator to grant it, or use another channel.
refuse-guild-only = War is played in a server’s channels. Use this command there.
refuse-automod = AutoMod of this server does not let my message through. Ask a moderator to allow it, or use another channel.
refuse-form = Discord did not take my message. Nothing is lost: try again, or call `/war board`.
error-disk-full = There is no room left to save anything, so nothing was changed. Whoever runs this bot must make room.
refuse-old-rules = This match was played by rules that this version of the bot no longer knows. Its result stands.
refuse-older-command = This command has changed. Wait a minute, or restart your app, and call it again.
error-database = The result could not be saved just now, so nothing was changed. Try again in a moment.
error-unexpected = Something went wrong on our side; it was written down. Nothing of your match is lost: `/war board` shows it.
permission-read_messages = View Channel
permission-send_messages = Send Messages
permission-send_messages_in_threads = Send Messages in Threads
permission-attach_files = Attach Files
