/* What every exported golden shares: its types and the loop that judges bytes against it.
 *
 * C99, C++11 and Objective-C. The rules of judging are those of refnvn's own compare room: an element that no choice
 * touches must equal the golden, or be padding; one that a single choice touches may hold what any of its settings
 * gives, and a choice of one setting for the whole golden is narrowed by each result for the next; one that several
 * choices touch may hold anything. Bytes are little-endian.
 */
#ifndef REFNVN_COMPARE_H
#define REFNVN_COMPARE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && defined(__ORDER_LITTLE_ENDIAN__)
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "a golden's values are compared as little-endian bytes"
#endif
#endif

#define REFNVN_UNDEFINED 0x0001u /* NVN itself may do otherwise */
#define REFNVN_IMPRECISE 0x0002u /* a faithful port is not asked to match */
#define REFNVN_ANY 0x0004u       /* several choices meet */
#define REFNVN_PADDING 0x0008u   /* no texel reaches it */

#define REFNVN_MOST_CHOICES 64
#define REFNVN_MOST_SETTINGS 32

/* One field that could be otherwise. Setting 0 is NVN's own. */
typedef struct refnvn_choice {
    const char *field;
    int each_element;            /* 0: one setting for the whole golden; 1: one for each element */
    uint32_t setting_count;
    const char *const *settings; /* names */
    uint32_t undefined;          /* bits of the settings that NVN itself may take */
} refnvn_choice;

/* The elements of a result that another setting changes: positions, ascending, and values. */
typedef struct refnvn_alternative {
    uint32_t choice, setting;
    size_t count;
    const uint32_t *indices;
    const void *values;
    const uint8_t *padding; /* 1 where no texel reaches it under this setting; NULL for nowhere */
} refnvn_alternative;

/* A result that has another size under another setting, as a whole. */
typedef struct refnvn_variant {
    uint32_t choice, setting;
    uint32_t like; /* bits of the settings that give this same variant */
    size_t count;
    const void *values;
    const uint8_t *padding;
} refnvn_variant;

typedef struct refnvn_result {
    const char *golden, *name;
    char kind; /* 'u' unsigned, 'i' signed, 'f' float */
    size_t element_size_B;
    size_t count;
    const void *values;
    const uint16_t *mask;       /* NULL: all zero */
    const uint8_t *field_index; /* NULL: all zero */
    size_t choice_count;
    const refnvn_choice *choices;
    size_t alternative_count;
    const refnvn_alternative *alternatives;
    size_t variant_count;
    const refnvn_variant *variants;
} refnvn_result;

/* Which settings are still possible, handed from one result of a golden to the next. Start with REFNVN_CHOICES_INIT;
 * set exact to 1 before the first result to refuse what only slack permits. One for each golden and each run: results
 * of another golden that are given the same one are wrong. */
typedef struct refnvn_choices {
    int exact;
    int started;
    const char *golden; /* whose results it was given first */
    uint32_t possible[REFNVN_MOST_CHOICES];
} refnvn_choices;

/* Every field in its order, so that neither C nor C++ warns. */
#define REFNVN_CHOICES_INIT {0, 0, NULL, {0}}

typedef struct refnvn_report {
    const refnvn_result *result;
    const refnvn_variant *variant; /* NULL: the golden's own size */
    size_t count, same, permitted, wrong;
    size_t undefined, imprecise, any, padding; /* permitted, by reason */
    size_t first_wrong;                        /* a position; of no meaning where wrong is 0 */
    uint64_t expected, actual;                 /* the bits of that element */
    size_t given_size_B;
    int no_bytes;             /* NULL was given */
    int bad_size;             /* the number of bytes fits nothing */
    int impossible;           /* the size contradicts what other results chose */
    const char *other_golden; /* the choices were given results of this golden first; else NULL */
    uint32_t choice;          /* 1 and up: the one choice that decides there, or decides the size; 0 for none */
    uint32_t claimed;         /* the settings of that choice that ACTUAL agrees with */
    uint32_t open;            /* the settings of that choice that are still possible */
} refnvn_report;

static inline uint64_t refnvn_bits_(const void *values, size_t position, size_t element_size_B) {
    const unsigned char *bytes = (const unsigned char *)values + position * element_size_B;
    uint64_t bits = 0;
    size_t i;
    for (i = 0; i < element_size_B; i++) {
        bits |= (uint64_t)bytes[i] << (8 * i);
    }
    return bits;
}

static inline uint32_t refnvn_allowed_(const refnvn_choice *choice, int exact) {
    uint32_t all = (uint32_t)((UINT64_C(1) << choice->setting_count) - 1);
    return exact ? (choice->undefined | 1u) & all : all;
}

/* Returns the place of a position in an alternative, or its count for none. */
static inline size_t refnvn_find_(const refnvn_alternative *alternative, size_t position) {
    size_t low = 0, high = alternative->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (alternative->indices[middle] < position) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < alternative->count && alternative->indices[low] == position ? low : alternative->count;
}

/* Returns the one choice that touches a position, -1 for none, -2 for several; and the settings it agrees with. */
static inline int refnvn_touching_(const refnvn_result *result, int exact, size_t position, uint64_t actual,
                                   int like_base, uint32_t *agrees) {
    int touching = -1;
    size_t i;
    *agrees = 0;
    for (i = 0; i < result->alternative_count; i++) {
        const refnvn_alternative *a = &result->alternatives[i];
        size_t place;
        if (!(refnvn_allowed_(&result->choices[a->choice], exact) >> a->setting & 1u)) {
            continue;
        }
        place = refnvn_find_(a, position);
        if (place == a->count) {
            continue;
        }
        if (touching >= 0 && touching != (int)a->choice) {
            return -2;
        }
        if (touching < 0) {
            touching = (int)a->choice;
            *agrees = like_base ? 0xffffffffu : 0u;
        }
        if ((a->padding && a->padding[place]) || refnvn_bits_(a->values, place, result->element_size_B) == actual) {
            *agrees |= (uint32_t)1 << a->setting;
        } else {
            *agrees &= ~((uint32_t)1 << a->setting);
        }
    }
    return touching;
}

/* Lets the elements of a result vote on the choices of one setting for the whole golden. */
static inline void refnvn_vote_(const refnvn_result *result, const void *actual, int exact, uint32_t *possible) {
    size_t votes[REFNVN_MOST_CHOICES][REFNVN_MOST_SETTINGS];
    size_t explained[REFNVN_MOST_CHOICES];
    size_t i, c;
    uint32_t s;
    memset(votes, 0, sizeof votes);
    memset(explained, 0, sizeof explained);
    for (i = 0; result->mask && i < result->count; i++) {
        uint64_t bits;
        uint32_t agrees;
        int like_base, touching;
        if (!(result->mask[i] & (REFNVN_UNDEFINED | REFNVN_IMPRECISE))) {
            continue;
        }
        bits = refnvn_bits_(actual, i, result->element_size_B);
        like_base = (result->mask[i] & REFNVN_PADDING) != 0 ||
                    refnvn_bits_(result->values, i, result->element_size_B) == bits;
        touching = refnvn_touching_(result, exact, i, bits, like_base, &agrees);
        if (touching < 0 || !(agrees & possible[touching])) {
            continue;
        }
        explained[touching]++;
        for (s = 0; s < result->choices[touching].setting_count; s++) {
            votes[touching][s] += (agrees & possible[touching]) >> s & 1u;
        }
    }
    for (c = 0; c < result->choice_count; c++) {
        size_t best = 0;
        uint32_t left = 0;
        if (explained[c] == 0 || result->choices[c].each_element) {
            continue;
        }
        for (s = 0; s < result->choices[c].setting_count; s++) {
            if (!(possible[c] >> s & 1u)) {
                continue;
            }
            if (votes[c][s] > best) {
                best = votes[c][s];
                left = (uint32_t)1 << s;
            } else if (votes[c][s] == best && best == explained[c]) {
                left |= (uint32_t)1 << s;
            }
        }
        possible[c] = left;
    }
}

/* Returns the settings of a choice whose value an element has; setting 0 is the golden's own. */
static inline uint32_t refnvn_claimed_(const refnvn_result *result, uint32_t choice, size_t position,
                                       uint64_t actual) {
    uint32_t claimed = refnvn_bits_(result->values, position, result->element_size_B) == actual;
    size_t i;
    for (i = 0; i < result->alternative_count; i++) {
        const refnvn_alternative *a = &result->alternatives[i];
        size_t place = a->choice == choice ? refnvn_find_(a, position) : a->count;
        if (place < a->count && refnvn_bits_(a->values, place, result->element_size_B) == actual) {
            claimed |= (uint32_t)1 << a->setting;
        }
    }
    return claimed;
}

/* Notes which choice decides at the first wrong element; of choices that exact refuses, where no other does. */
static inline void refnvn_explain_(refnvn_report *report, int exact, const uint32_t *possible) {
    uint32_t agrees;
    int touching = refnvn_touching_(report->result, exact, report->first_wrong, report->actual, 0, &agrees);
    if (touching == -1 && exact) {
        touching = refnvn_touching_(report->result, 0, report->first_wrong, report->actual, 0, &agrees);
    }
    if (touching >= 0) {
        report->choice = (uint32_t)touching + 1;
        report->claimed = refnvn_claimed_(report->result, (uint32_t)touching, report->first_wrong, report->actual);
        report->open = possible[touching];
    }
}

static inline void refnvn_wrong_(refnvn_report *report, size_t position, uint64_t expected, uint64_t actual) {
    if (report->wrong == 0) {
        report->first_wrong = position;
        report->expected = expected;
        report->actual = actual;
    }
    report->wrong++;
}

/* Counts one element of the golden's own size. */
static inline void refnvn_element_(refnvn_report *report, int exact, const uint32_t *possible, size_t i,
                                   uint64_t actual) {
    const refnvn_result *result = report->result;
    uint64_t expected = refnvn_bits_(result->values, i, result->element_size_B);
    unsigned mask = result->mask ? result->mask[i] : 0u;
    int padding = (mask & REFNVN_PADDING) != 0, touching = -1;
    uint32_t agrees = 0;
    if (mask & (REFNVN_UNDEFINED | REFNVN_IMPRECISE)) {
        touching = refnvn_touching_(result, exact, i, actual, padding || actual == expected, &agrees);
    }
    if (touching >= 0) {
        agrees &= possible[touching];
    }
    if (touching >= 0 && agrees == 0) {
        refnvn_wrong_(report, i, expected, actual);
    } else if (actual == expected) {
        report->same++;
    } else if (touching == -2) {
        report->any++;
    } else if (touching == -1 && !padding) {
        refnvn_wrong_(report, i, expected, actual);
    } else if (touching == -1 || (agrees & 1u)) {
        report->padding++;
    } else if (agrees & result->choices[touching].undefined) {
        report->undefined++;
    } else {
        report->imprecise++;
    }
}

/* Notes that the size itself claims a setting that other results exclude. */
static inline void refnvn_all_wrong_(refnvn_report *report, uint32_t choice, uint32_t setting, uint32_t open) {
    report->impossible = 1;
    report->wrong = report->count;
    report->choice = choice + 1;
    report->claimed = (uint32_t)1 << setting;
    report->open = open;
}

/* Judges bytes of the golden's own size; narrows possible. */
static inline refnvn_report refnvn_judge_base_(const refnvn_result *result, const void *actual, int exact,
                                               uint32_t *possible) {
    refnvn_report report;
    uint32_t before[REFNVN_MOST_CHOICES];
    size_t i;
    memset(&report, 0, sizeof report);
    memcpy(before, possible, sizeof before);
    report.result = result;
    report.count = result->count;
    for (i = 0; i < result->variant_count; i++) {
        const refnvn_variant *variant = &result->variants[i];
        possible[variant->choice] &= ~((uint32_t)1 << variant->setting);
        if (possible[variant->choice] == 0 && !result->choices[variant->choice].each_element) {
            refnvn_all_wrong_(&report, variant->choice, 0, before[variant->choice]);
            return report;
        }
    }
    refnvn_vote_(result, actual, exact, possible);
    for (i = 0; i < result->count; i++) {
        refnvn_element_(&report, exact, possible, i, refnvn_bits_(actual, i, result->element_size_B));
    }
    for (i = 0; i < result->choice_count; i++) {
        if (result->choices[i].each_element) {
            possible[i] = before[i];
        }
    }
    if (report.wrong) {
        refnvn_explain_(&report, exact, possible);
    }
    report.permitted = report.undefined + report.imprecise + report.any + report.padding;
    return report;
}

/* Judges bytes of a variant's size against the variant as a whole; narrows possible. */
static inline refnvn_report refnvn_judge_variant_(const refnvn_result *result, const refnvn_variant *variant,
                                                  const void *actual, uint32_t *possible) {
    const refnvn_choice *choice = &result->choices[variant->choice];
    refnvn_report report;
    size_t i;
    memset(&report, 0, sizeof report);
    report.result = result;
    report.variant = variant;
    report.count = variant->count;
    if (!choice->each_element) {
        if ((possible[variant->choice] & variant->like) == 0) {
            refnvn_all_wrong_(&report, variant->choice, variant->setting, possible[variant->choice]);
            return report;
        }
        possible[variant->choice] &= variant->like;
    }
    for (i = 0; i < variant->count; i++) {
        uint64_t expected = refnvn_bits_(variant->values, i, result->element_size_B);
        uint64_t bits = refnvn_bits_(actual, i, result->element_size_B);
        if (expected == bits) {
            if (choice->undefined >> variant->setting & 1u) {
                report.undefined++;
            } else {
                report.imprecise++;
            }
        } else if (variant->padding && variant->padding[i]) {
            report.padding++;
        } else {
            refnvn_wrong_(&report, i, expected, bits);
        }
    }
    report.permitted = report.undefined + report.imprecise + report.padding;
    return report;
}

/* Judges one result and narrows the choices; NULL for choices judges it alone. */
static inline refnvn_report refnvn_compare_(const refnvn_result *result, const void *actual, size_t actual_size_B,
                                            refnvn_choices *choices) {
    refnvn_choices alone;
    refnvn_report best;
    uint32_t narrowed[REFNVN_MOST_CHOICES], attempt[REFNVN_MOST_CHOICES];
    size_t i;
    int found = 0;
    memset(&alone, 0, sizeof alone);
    memset(&best, 0, sizeof best);
    memset(narrowed, 0, sizeof narrowed);
    choices = choices ? choices : &alone;
    if (!choices->started) {
        for (i = 0; i < result->choice_count; i++) {
            choices->possible[i] = refnvn_allowed_(&result->choices[i], choices->exact);
        }
        choices->started = 1;
        choices->golden = result->golden;
    }
    if (strcmp(choices->golden, result->golden) != 0) {
        best.result = result;
        best.count = best.wrong = result->count;
        best.other_golden = choices->golden;
        best.given_size_B = actual_size_B;
        return best;
    }
    if (actual && actual_size_B == result->count * result->element_size_B) {
        memcpy(narrowed, choices->possible, sizeof narrowed);
        best = refnvn_judge_base_(result, actual, choices->exact, narrowed);
        found = 1;
    }
    for (i = 0; i < result->variant_count; i++) {
        const refnvn_variant *variant = &result->variants[i];
        uint32_t allowed = refnvn_allowed_(&result->choices[variant->choice], choices->exact);
        refnvn_report report;
        if (!actual || actual_size_B != variant->count * result->element_size_B ||
            !(allowed >> variant->setting & 1u)) {
            continue;
        }
        memcpy(attempt, choices->possible, sizeof attempt);
        report = refnvn_judge_variant_(result, variant, actual, attempt);
        if (!found || report.impossible < best.impossible ||
            (report.impossible == best.impossible && report.wrong < best.wrong)) {
            best = report;
            memcpy(narrowed, attempt, sizeof narrowed);
        }
        found = 1;
    }
    if (!found) {
        best.result = result;
        best.count = best.wrong = result->count;
        best.no_bytes = actual == NULL;
        best.bad_size = !best.no_bytes;
    } else if (!best.impossible) {
        memcpy(choices->possible, narrowed, sizeof narrowed);
    }
    best.given_size_B = actual_size_B;
    return best;
}

/* 0 where everything is the same or permitted, else 1. */
static inline int refnvn_exit_code(const refnvn_report *report) { return report->wrong != 0; }

static inline void refnvn_print_value_(FILE *file, const refnvn_result *result, uint64_t bits) {
    unsigned width = (unsigned)(result->element_size_B * 8);
    if (result->kind == 'f' && width == 64) {
        double value;
        memcpy(&value, &bits, sizeof value);
        fprintf(file, "%.17g ", value);
    } else if (result->kind == 'f' && width == 32) {
        float value;
        uint32_t low = (uint32_t)bits;
        memcpy(&value, &low, sizeof value);
        fprintf(file, "%.9g ", (double)value);
    } else if (result->kind == 'i' && (bits >> (width - 1) & 1u)) {
        fprintf(file, "-%llu ", (unsigned long long)((~bits + 1u) & (UINT64_MAX >> (64 - width))));
    } else if (result->kind != 'f') {
        fprintf(file, "%llu ", (unsigned long long)bits);
    }
    fprintf(file, "(0x%0*llx)", (int)(result->element_size_B * 2), (unsigned long long)bits);
}

/* Prints the settings of a choice that some bits name: "a or b". */
static inline void refnvn_print_settings_(FILE *file, const refnvn_choice *choice, uint32_t settings) {
    const char *between = "";
    uint32_t s;
    for (s = 0; s < choice->setting_count; s++) {
        if (settings >> s & 1u) {
            fprintf(file, "%s%s", between, choice->settings[s]);
            between = " or ";
        }
    }
}

/* Prints what sizes there are where the given one fits none of them. */
static inline void refnvn_print_sizes_(FILE *file, const refnvn_report *report) {
    const refnvn_result *result = report->result;
    size_t i;
    if (report->no_bytes) {
        fprintf(file, ", no bytes given, ");
    } else {
        fprintf(file, ", %lu bytes given, ", (unsigned long)report->given_size_B);
    }
    fprintf(file, "%lu expected", (unsigned long)(result->count * result->element_size_B));
    for (i = 0; i < result->variant_count; i++) {
        const refnvn_variant *variant = &result->variants[i];
        const refnvn_choice *choice = &result->choices[variant->choice];
        fprintf(file, ", or %lu with %s = %s", (unsigned long)(variant->count * result->element_size_B),
                choice->field, choice->settings[variant->setting]);
    }
    fprintf(file, "\n");
}

/* Prints why the first wrong element is wrong, where a choice decides there. */
static inline void refnvn_print_reason_(FILE *file, const refnvn_report *report) {
    const refnvn_choice *choice;
    uint32_t setting = 0;
    if (report->choice == 0) {
        return;
    }
    choice = &report->result->choices[report->choice - 1];
    if (report->claimed == 0) {
        fprintf(file, ": is no setting of %s", choice->field);
        return;
    }
    while (!(report->claimed >> setting & 1u)) {
        setting++;
    }
    fprintf(file, ": is %s = %s, only ", choice->field, choice->settings[setting]);
    refnvn_print_settings_(file, choice, report->open);
    fprintf(file, " is allowed");
}

/* Prints a report on one or two lines, in the words of `refnvn diff`. */
static inline void refnvn_print_report(FILE *file, const refnvn_report *report) {
    const refnvn_result *result = report->result;
    fprintf(file, "%s %s: %s", result->golden, result->name, report->wrong ? "WRONG" : "ok");
    if (report->other_golden) {
        fprintf(file, ", the choices belong to golden %s, this is one of %s: one refnvn_choices for each golden\n",
                report->other_golden, result->golden);
        return;
    }
    if (report->no_bytes || report->bad_size) {
        refnvn_print_sizes_(file, report);
        return;
    }
    if (report->impossible) {
        const refnvn_choice *choice = &result->choices[report->choice - 1];
        fprintf(file, ", all %lu wrong: this size says %s = ", (unsigned long)report->wrong, choice->field);
        refnvn_print_settings_(file, choice, report->claimed);
        fprintf(file, ", other results exclude that: only ");
        refnvn_print_settings_(file, choice, report->open);
        fprintf(file, " is allowed\n");
        return;
    }
    fprintf(file, ", %lu of %lu same, %lu permitted", (unsigned long)report->same, (unsigned long)report->count,
            (unsigned long)report->permitted);
    fprintf(file, " (%lu undefined, %lu imprecise, %lu any, %lu padding)", (unsigned long)report->undefined,
            (unsigned long)report->imprecise, (unsigned long)report->any, (unsigned long)report->padding);
    if (report->variant) {
        const refnvn_choice *choice = &result->choices[report->variant->choice];
        fprintf(file, " as %s = %s", choice->field, choice->settings[report->variant->setting]);
    }
    if (report->wrong) {
        fprintf(file, ", %lu wrong\n  first at %lu, expected ", (unsigned long)report->wrong,
                (unsigned long)report->first_wrong);
        refnvn_print_value_(file, result, report->expected);
        fprintf(file, ", actual ");
        refnvn_print_value_(file, result, report->actual);
        refnvn_print_reason_(file, report);
    }
    fprintf(file, "\n");
}

#endif /* REFNVN_COMPARE_H */
